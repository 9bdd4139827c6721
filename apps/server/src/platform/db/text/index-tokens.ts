import { ROLE_MARK } from '#platform/text/evaluate.ts'

/**
 * Indexed tokens start with the dataset's number, so the same word in two datasets is two tokens. The cost of searching for a
 * word or prefix therefore doesn't depend on the number of other datasets.
 */
const prefixOf = (datasetNo: number): string => `${datasetNo.toString(36)}:`

/**
 * The prefix of a token's second copy, which contains the number of the token's field. The engine can distinguish only some of
 * the fields. For the others, each token is indexed twice, so that searches can be limited to one field.
 */
const markedPrefixOf = (datasetNo: number, field: number): string => `${datasetNo.toString(36)}.${field}:`

/**
 * Encodes role tokens. A role token stands for the role of a message, such as `=user`. Other tokens are returned unchanged,
 * because they contain no uppercase letters, spaces or symbols.
 */
const encode = (token: string): string =>
  token.charCodeAt(0) === 0x3d
    ? ROLE_MARK +
      token.slice(1).replace(/[^a-z0-9\u0080-\uffff]/g, (char) => `^${char.charCodeAt(0).toString(16).padStart(2, '0')}`)
    : token

export type TokenPrinter = (token: string) => string

/**
 * Returns a function that converts a dataset's token to the form in which it is indexed. With `field`, the function returns the
 * token's second copy, which contains the field's number.
 */
export const printer = (datasetNo: number, field: number | null = null): TokenPrinter => {
  const prefix = field === null ? prefixOf(datasetNo) : markedPrefixOf(datasetNo, field)
  return (token) => prefix + encode(token)
}
