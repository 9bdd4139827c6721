import type { FieldKind } from '@postil/contract/field-types/define.ts'
import type { ComponentType } from 'react'
import type { FieldSettingsOf } from './define.ts'

export type FieldSettingsFormProps<K extends FieldKind> = {
  readonly settings: FieldSettingsOf<K>
  readonly onChange: (settings: FieldSettingsOf<K>) => void
}

/** The settings of a field kind that can be changed after creation; null if only the title can be changed. */
export type FieldSettingsSlice<K extends FieldKind> = {
  readonly kind: K
  readonly SettingsForm: ComponentType<FieldSettingsFormProps<K>> | null
  /** Whether a preview of a record is shown next to the settings. */
  readonly hasPreview: boolean
}
