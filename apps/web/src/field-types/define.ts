import type { FieldKind, FieldSettingsOf } from '@postil/contract/field-types/index.ts'
import type { Field } from '@postil/contract/fields.ts'
import type { Record as AnnotationRecord } from '@postil/contract/records.ts'
import type { JsonValue } from '@postil/contract/wire/json.ts'
import type { ComponentType } from 'react'
import type { LazyPart } from '#ui/loading/lazy-part.ts'

export type FieldOf<K extends FieldKind> = Omit<Field, 'settings'> & { readonly settings: FieldSettingsOf<K> }

export type FieldViewProps<K extends FieldKind> = {
  readonly field: FieldOf<K>
  /** The value in the record; never null. */
  readonly value: JsonValue
  readonly record: AnnotationRecord
  /** Search words to highlight, or null if there is no search or it is limited to another field. */
  readonly search: string | null
}

export type FieldSlice<K extends FieldKind> = {
  readonly kind: K
  /** The view. It has `preload` only if its code is loaded separately. */
  readonly View: ComponentType<FieldViewProps<K>> & Partial<Pick<LazyPart<FieldViewProps<K>>, 'preload'>>
  /** Whether text search includes this kind. */
  readonly isSearchable: boolean
  /** Whether a long value is collapsed when other fields follow it. */
  readonly folds: boolean
  /** Returns the value as text, for copying a record. */
  readonly plainText: (value: JsonValue) => string
}
