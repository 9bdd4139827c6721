import type { FieldKind } from '@postil/contract/field-types/define.ts'
import type { ComponentType } from 'react'
import type { FieldSettingsOf } from './define.ts'

export type FieldSettingsFormProps<K extends FieldKind> = {
  readonly settings: FieldSettingsOf<K>
  readonly onChange: (settings: FieldSettingsOf<K>) => void
}

/** What a kind of field lets its dataset's owner change after it was made; null where its title is all. */
export type FieldSettingsSlice<K extends FieldKind> = {
  readonly kind: K
  readonly SettingsForm: ComponentType<FieldSettingsFormProps<K>> | null
  /** Whether what they make of a record is shown beside them. */
  readonly hasPreview: boolean
}
