import type { QuestionKind, SettingsOf } from '@postil/contract/question-types/index.ts'
import type { QuestionUpdate } from '@postil/contract/questions.ts'
import type { ComponentType } from 'react'
import type { SuggestionOf } from './define.ts'

export type SettingsFormProps<K extends QuestionKind> = {
  readonly settings: SettingsOf<K>
  /** The server's settings. Some things can be turned on but not off again. */
  readonly stored: SettingsOf<K>
  readonly onChange: (settings: SettingsOf<K>) => void
  /** The chosen hues of its labels. */
  readonly hues: ReadonlyMap<string, number>
  /** null removes the choice. */
  readonly onHue: (value: string, hue: number | null) => void
}

/** The settings of a question kind that can be changed after creation. */
export type QuestionSettingsSlice<K extends QuestionKind> = {
  readonly kind: K
  /** null if only title and description can be changed. */
  readonly SettingsForm: ComponentType<SettingsFormProps<K>> | null
  /**
   * Returns the error as a message key of `question-types/shared` under `fault`; null if there is none. The form shows it at
   * the affected control.
   */
  readonly fault: (settings: SettingsOf<K>, stored: SettingsOf<K>) => string | null
  /** Returns what an update sends; undefined omits the settings. */
  readonly update: (settings: SettingsOf<K>) => QuestionUpdate['settings']
  /** Returns a sample suggestion for the preview, if it helps to show the effect of a setting. */
  readonly sample: (settings: SettingsOf<K>) => Pick<SuggestionOf<K>, 'value' | 'score' | 'agent'> | null
}
