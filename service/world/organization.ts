/** The only organization of the embedded service. */
export const ORGANIZATION = '5b2f6d0e-8c1a-4e57-9f3d-2a4b6c8d0e1f';

/** Author of the initial data. */
export const SYSTEM_USER = '0a6f2c84-59d1-4c0e-9d2b-7b1f6a3e5c00';
