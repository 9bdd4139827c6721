import type { Field } from '@postil/contract/fields.ts'
import type { QuestionKind } from '@postil/contract/question-types/define.ts'
import type { SettingsOf } from '@postil/contract/question-types/index.ts'
import type { ComponentType } from 'react'

/** A field beside the question, as much as is settled of it. */
export type NearField = Pick<Field, 'name' | 'title' | 'settings'>

export type CreationFormProps<K extends QuestionKind> = {
  readonly settings: SettingsOf<K>
  readonly fields: readonly NearField[]
  /** What is wrong with the settings, in words; it belongs to the control that it is about. */
  readonly fault: string | null
  readonly onChange: (settings: SettingsOf<K>) => void
}

/** What can be wrong with the settings of a new question: messages of `question-types/shared` under `fault`. */
export type CreationFault = 'empty' | 'atLeastTwo' | 'atLeastOne' | 'twice' | 'tooMany' | 'tooLong' | 'fieldRelated'

/** What is settled of a question of a kind when it is made. */
export type QuestionCreationSlice<K extends QuestionKind> = {
  readonly kind: K
  /** Settings to begin with. `values` are those of the column that suggests answers; null without one, or with too many. */
  readonly initial: (given: { readonly values: readonly string[] | null; readonly fields: readonly NearField[] }) => SettingsOf<K>
  readonly CreationForm: ComponentType<CreationFormProps<K>>
  readonly fault: (settings: SettingsOf<K>, fields: readonly NearField[]) => CreationFault | null
}
