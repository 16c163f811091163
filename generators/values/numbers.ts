/** Boundary values for integers, also of types that hold 24 or 53 bits exactly; callers filter them by the bounds of the schema. */
export const INTERESTING_INTEGERS: readonly number[] = [
  0, -1, 1, 2_147_483_647, -2_147_483_648, 2, 100, 1000, 10, 255, 256, 9_007_199_254_740_991, -9_007_199_254_740_991,
  16_777_217, 2_147_483_648, 4_294_967_295, 99, 101, 3, 7, 32_767, 32_768, 65_535, 65_536, 127, 128, 13, 42, -2, -10,
  -100, 50, 51, 500, 999, 1001, 9999, 10_000, 1_000_000, 1_000_000_000, -2_147_483_649, 4_294_967_296,
];

/** Boundary values with a fraction or an exponent. */
export const INTERESTING_REALS: readonly number[] = [
  0, 0.1, -0.5, 1.5, 1e-7, 123_456.789, 1e21, -1, 0.30000000000000004, 1e-308, 1.7976931348623157e308, 1e15, 99.99,
  0.005, 1e100, -1e-10, 4.35, 0.999999999999, 33.333333333333336,
];

/** Sizes of arrays and maps, most useful first. */
export const INTERESTING_SIZES: readonly number[] = [
  0, 1, 2, 10, 51, 3, 101, 33, 5, 17, 257, 4, 64, 11, 21, 1000, 100, 128, 26, 6,
];
