import type { Field } from '@postil/contract/fields.ts'
import type { QuestionKind, SettingsOf } from '@postil/contract/question-types/index.ts'
import type { ComponentType } from 'react'

/** The properties of a dataset's fields that are needed to create a question of that dataset. */
export type NearbyField = Pick<Field, 'name' | 'title' | 'settings'>

export type CreationFormProps<K extends QuestionKind> = {
  readonly settings: SettingsOf<K>
  readonly fields: readonly NearbyField[]
  /** The error in the settings, as text, or null. Shown next to the control that causes it. */
  readonly fault: string | null
  readonly onChange: (settings: SettingsOf<K>) => void
}

/**
 * Errors in the settings of a new question. Each is the name of a message under `fault` in the files of
 * `question-types/shared/options`.
 */
export type CreationFault =
  | 'empty'
  | 'atLeastTwo'
  | 'atLeastOne'
  | 'twice'
  | 'tooMany'
  | 'tooLong'
  | 'fieldRelated'
  | 'twoFields'
  | 'chatField'
  | 'roles'
  | 'listField'

/** How a question of this kind is created: its initial settings, and the form in which the user changes them. */
export type QuestionCreationSlice<K extends QuestionKind> = {
  readonly kind: K
  /** The position in the list of types that can be created. The lowest comes first. */
  readonly order: number
  /**
   * Returns the initial settings. `values` are the values of the column that contains suggestions, or null if there is no
   * such column or it has too many values.
   */
  readonly initial: (given: {
    readonly values: readonly string[] | null
    readonly fields: readonly NearbyField[]
  }) => SettingsOf<K>
  readonly CreationForm: ComponentType<CreationFormProps<K>>
  /** Returns the settings after a field was renamed. Omitted if the settings don't refer to fields. */
  readonly withFieldRenamed?: (settings: SettingsOf<K>, from: string, to: string) => SettingsOf<K>
  readonly fault: (settings: SettingsOf<K>, fields: readonly NearbyField[]) => CreationFault | null
}
