import type { FieldKind, FieldSettingsOf } from '@postil/contract/field-types/index.ts'
import type { JsonValue } from '@postil/contract/wire/json.ts'
import type { ComponentType } from 'react'

export type FieldSettingsFormProps<K extends FieldKind> = {
  readonly settings: FieldSettingsOf<K>
  readonly onChange: (settings: FieldSettingsOf<K>) => void
}

/** What is needed to edit an existing field of this kind. `SettingsForm` is null if only the title can be changed. */
export type FieldSettingsSlice<K extends FieldKind> = {
  readonly kind: K
  readonly SettingsForm: ComponentType<FieldSettingsFormProps<K>> | null
  /**
   * The view to which a field of this kind can be switched: `trace`, or null for the field's template. Undefined if the kind
   * isn't a custom field.
   */
  readonly otherView?: 'trace' | null
  /** Whether a preview of a record is shown next to the settings. */
  readonly hasPreview: boolean
}

/** What is needed to create a field of this kind. */
export type FieldCreation<K extends FieldKind> = {
  readonly kind: K
  /** The position in the list of types that can be created: lowest first. */
  readonly order: number
  readonly initial: FieldSettingsOf<K>
  /** Whether the settings have an error, which their form shows. */
  readonly isFaulty: (settings: FieldSettingsOf<K>) => boolean
  /** Loads the data that `isFaulty` needs for a full check; null if it needs none. */
  readonly prepare: (() => Promise<void>) | null
  /** Returns a sample value with the given text, for a preview in a dataset without records; null if the kind has no sample. */
  readonly sample: (words: string) => JsonValue
}
