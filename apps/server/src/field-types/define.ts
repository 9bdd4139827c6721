import type { FieldKind } from '@postil/contract/field-types/index.ts'

/** Server-specific properties of a field type, in addition to the contract. */
export type ServerFieldType<K extends FieldKind> = {
  readonly kind: K
  /** How tables store a value: as text or JSON. */
  readonly column: 'text' | 'json'
  /**
   * Converts the value of a cell in an imported file to this field type. A value that already has this type stays unchanged.
   * Returns null if the cell has no value. JSON lists and objects in a cell have already been parsed.
   */
  readonly imported?: (value: unknown) => unknown
  /**
   * Whether a value in a file can only be of this type. When a dataset is created from the file, a column of such values
   * becomes a field of this type.
   */
  readonly recognizes?: (value: unknown) => boolean
  /** Whether the strings in values of this type are images or image addresses. */
  readonly holdsImages?: true
  /** Whether values of this type contain text that searches can match. */
  readonly searchable: boolean
  /** Whether searches can name a conversation role. */
  readonly hasRoles: boolean
  /** Appends the searchable parts of a value as tokens, in order (see `FieldTokens` in `platform/text`). */
  readonly appendTokens: (out: string[], value: unknown) => void
  /** Appends the same parts as `appendTokens`, but as the original text instead of tokens. Roles are left out. */
  readonly appendTexts: (out: string[], value: unknown) => void
}

export const defineServerFieldType = <const K extends FieldKind>(type: ServerFieldType<K>): ServerFieldType<K> => type
