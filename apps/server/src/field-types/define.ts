import type { FieldKind } from '@postil/contract/field-types/define.ts'

/** What the server knows of a field type in addition to the contract. */
export type ServerFieldType<K extends FieldKind> = {
  readonly kind: K
  /** How tables store a value: as text or JSON. */
  readonly column: 'text' | 'json'
  /**
   * Converts an import cell that doesn't hold this type already; null for no value. Lists and objects arrive parsed from JSON.
   */
  readonly imported?: (value: unknown) => unknown
  /** Its texts are images or image addresses. */
  readonly holdsImages?: true
  /** False if values of this type never have tokens, whatever their length. */
  readonly searchable: boolean
  /** Whether searches can name a role of a conversation. */
  readonly hasRoles: boolean
  /** Appends the searchable parts of a value as tokens, in order (see `FieldTokens` in `platform/text`). */
  readonly appendTokens: (out: string[], value: unknown) => void
}

export const defineServerFieldType = <const K extends FieldKind>(type: ServerFieldType<K>): ServerFieldType<K> => type
