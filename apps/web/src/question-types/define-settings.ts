import type { QuestionKind } from '@postil/contract/question-types/define.ts'
import type { SettingsOf } from '@postil/contract/question-types/index.ts'
import type { QuestionUpdate } from '@postil/contract/questions.ts'
import type { ComponentType } from 'react'
import type { SuggestionOf } from './define.ts'

export type SettingsFormProps<K extends QuestionKind> = {
  readonly settings: SettingsOf<K>
  /** As the server has them: some things can be turned on, but not off again. */
  readonly stored: SettingsOf<K>
  readonly onChange: (settings: SettingsOf<K>) => void
  /** Hues that were chosen for its labels. */
  readonly hues: ReadonlyMap<string, number>
  /** null takes the choice away. */
  readonly onHue: (value: string, hue: number | null) => void
}

/** What a kind of question lets its dataset's owner change after it was made. */
export type QuestionSettingsSlice<K extends QuestionKind> = {
  readonly kind: K
  /** null where title and description are all that can be changed. */
  readonly SettingsForm: ComponentType<SettingsFormProps<K>> | null
  /** What is wrong, as the messages of `question-types/shared` under `fault` name it; null when nothing is. The form says so where it is. */
  readonly fault: (settings: SettingsOf<K>, stored: SettingsOf<K>) => string | null
  /** What an update sends; undefined leaves the settings out. */
  readonly update: (settings: SettingsOf<K>) => QuestionUpdate['settings']
  /** A made-up suggestion for the preview, where one shows what a setting does. */
  readonly sample: (settings: SettingsOf<K>) => Pick<SuggestionOf<K>, 'value' | 'score' | 'agent'> | null
}
