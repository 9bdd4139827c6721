/** The version of the product; the wire has its own, `wireVersion` of the contract. */
export const VERSION = '0.1.0'
