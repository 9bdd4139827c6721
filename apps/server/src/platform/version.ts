/** The version of the product. The wire has its own version: `wireVersion` of the contract. */
export const VERSION = '0.1.0'
