import type { FieldKind } from '@postil/contract/field-types/define.ts'

/** What the server knows of a field type beside the contract. */
export type ServerFieldType<K extends FieldKind> = {
  readonly kind: K
  /** How tables carry a value: as a text, or as JSON. */
  readonly column: 'text' | 'json'
  /** What a cell of an import, read as JSON where it is a list or an object, becomes where that is not what it holds; null for no value. */
  readonly imported?: (value: unknown) => unknown
  /** Its texts are pictures, or the addresses of some. */
  readonly holdsPictures?: true
  /** False when values of this type never have tokens, however long they are. */
  readonly searchable: boolean
  /** Whether a role of a conversation can be searched for. */
  readonly hasRoles: boolean
  /** Appends what is searchable of a value, as tokens in their order (see `FieldTokens` of `platform/text`). */
  readonly appendTokens: (out: string[], value: unknown) => void
}

export const defineServerFieldType = <const K extends FieldKind>(type: ServerFieldType<K>): ServerFieldType<K> => type
