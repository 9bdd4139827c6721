import type { QuestionKind, SettingsOf } from '@postil/contract/question-types/index.ts'
import type { QuestionUpdate } from '@postil/contract/questions.ts'
import type { JsonObject } from '@postil/contract/wire/json.ts'
import type { ComponentType } from 'react'
import type { SuggestionOf } from './define.ts'

export type SettingsFormProps<K extends QuestionKind> = {
  readonly settings: SettingsOf<K>
  /** The settings on the server. Some of them can't be turned off once they are stored there, for example `allow_overlapping`. */
  readonly stored: SettingsOf<K>
  readonly onChange: (settings: SettingsOf<K>) => void
  /** The chosen hues of the question's labels. */
  readonly hues: ReadonlyMap<string, number>
  /** Sets a label's hue. Null removes the chosen hue. */
  readonly onHue: (value: string, hue: number | null) => void
}

/** The code for changing the settings of existing questions of one kind. */
export type QuestionSettingsSlice<K extends QuestionKind> = {
  readonly kind: K
  /** The form for the settings, or null if only title and description can be changed. */
  readonly SettingsForm: ComponentType<SettingsFormProps<K>> | null
  /**
   * Returns the error as a message key of `question-types/shared/options` under `fault`, or null if there is none. The form shows the
   * error at the affected control.
   */
  readonly fault: (settings: SettingsOf<K>, stored: SettingsOf<K>) => string | null
  /** Whether the labels can form a tree. */
  readonly canNest?: boolean
  /** Returns the settings to send in an update, or undefined to omit them. */
  readonly update: (settings: SettingsOf<K>) => QuestionUpdate['settings']
  /** Returns a sample suggestion for the preview if it helps to show a setting's effect, otherwise null. */
  readonly sample: (settings: SettingsOf<K>) => Pick<SuggestionOf<K>, 'value' | 'score' | 'agent'> | null
  /** Only for questions that take their options from the record. Returns the fields of the record in the preview. */
  readonly sampleFields?: (settings: SettingsOf<K>, options: readonly string[]) => JsonObject
}
