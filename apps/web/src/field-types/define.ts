import type { FieldKind } from '@postil/contract/field-types/define.ts'
import type { FieldSettings } from '@postil/contract/field-types/index.ts'
import type { Field } from '@postil/contract/fields.ts'
import type { Record as AnnotationRecord } from '@postil/contract/records.ts'
import type { JsonValue } from '@postil/contract/wire/json.ts'
import type { ComponentType } from 'react'

export type FieldSettingsOf<K extends FieldKind> = Extract<FieldSettings, { readonly type: K }>
export type FieldOf<K extends FieldKind> = Omit<Field, 'settings'> & { readonly settings: FieldSettingsOf<K> }

export type FieldViewProps<K extends FieldKind> = {
  readonly field: FieldOf<K>
  /** What the record holds; never null. */
  readonly value: JsonValue
  readonly record: AnnotationRecord
  /** Words to mark as found by a search; null when none is on, or it is on another field. */
  readonly search: string | null
}

export type FieldSlice<K extends FieldKind> = {
  readonly kind: K
  readonly View: ComponentType<FieldViewProps<K>>
  /** Whether a text search looks into it. */
  readonly isSearchable: boolean
  /** Whether a long value is cut until it is wanted, where other fields come after it. */
  readonly folds: boolean
  /** The value as text, for copying a record. */
  readonly plainText: (value: JsonValue) => string
}
