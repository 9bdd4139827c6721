/** The product version. The wire has its own version: `wireVersion` in the contract. */
export const VERSION = '0.1.0'
