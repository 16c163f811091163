/** Memoizes: a function that makes the value of an object once, and then returns the same one for as long as the object lives. */
export function memoize<K extends object, T>(make: (of: K) => T): (of: K) => T {
  const known = new WeakMap<K, { readonly value: T }>();
  return (of) => {
    const { value } = known.get(of) ?? { value: make(of) };
    known.set(of, { value });
    return value;
  };
}
