import { ROLE_MARK } from '#platform/text/evaluate.ts'

/**
 * Tokens as the engines index them: the dataset's number goes in front, so that a word of one dataset is a word of its
 * own. Searching for it, or for its beginnings, costs nothing that other datasets cause.
 */
const prefixOf = (datasetNo: number): string => `${datasetNo.toString(36)}:`

/** For fields beyond those that the engine tells apart: their tokens are indexed a second time with the field's number. */
const markedPrefixOf = (datasetNo: number, field: number): string => `${datasetNo.toString(36)}.${field}:`

/** Roles are the only tokens with capitals, spaces and signs. */
const encode = (token: string): string =>
  token.charCodeAt(0) === 0x3d
    ? ROLE_MARK +
      token.slice(1).replace(/[^a-z0-9\u0080-\uffff]/g, (char) => `^${char.charCodeAt(0).toString(16).padStart(2, '0')}`)
    : token

export type TokenPrinter = (token: string) => string

/** Prints tokens for one dataset; with `field` for that field's second copies. */
export const printer = (datasetNo: number, field: number | null = null): TokenPrinter => {
  const prefix = field === null ? prefixOf(datasetNo) : markedPrefixOf(datasetNo, field)
  return (token) => prefix + encode(token)
}
