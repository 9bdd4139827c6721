import { ROLE_MARK } from '#platform/text/evaluate.ts'

/**
 * Indexed tokens start with the dataset's number, so that the same word in two datasets is two tokens. Searching for a word or
 * prefix therefore costs the same, however many other datasets there are.
 */
const prefixOf = (datasetNo: number): string => `${datasetNo.toString(36)}:`

/** The prefix of a second copy of the tokens, for fields that the engine can't tell apart. It contains the field's number. */
const markedPrefixOf = (datasetNo: number, field: number): string => `${datasetNo.toString(36)}.${field}:`

/** Role tokens are the only ones with uppercase letters, spaces or symbols. */
const encode = (token: string): string =>
  token.charCodeAt(0) === 0x3d
    ? ROLE_MARK +
      token.slice(1).replace(/[^a-z0-9\u0080-\uffff]/g, (char) => `^${char.charCodeAt(0).toString(16).padStart(2, '0')}`)
    : token

export type TokenPrinter = (token: string) => string

/** Prints a dataset's tokens. With `field`, prints the copies marked with that field's number. */
export const printer = (datasetNo: number, field: number | null = null): TokenPrinter => {
  const prefix = field === null ? prefixOf(datasetNo) : markedPrefixOf(datasetNo, field)
  return (token) => prefix + encode(token)
}
