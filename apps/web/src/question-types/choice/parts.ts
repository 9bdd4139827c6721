import { choiceRules, optionsOfRecord } from '@postil/contract/question-types/choice.rules.ts'
import type { SettingsOf } from '@postil/contract/question-types/index.ts'
import type { JsonObject } from '@postil/contract/wire/json.ts'
import type { Completeness, ValueOf } from '../define.ts'
import { ChoiceEditor } from './Editor.tsx'
import { ChoiceValue } from './Value.tsx'

/**
 * If the record no longer offers the chosen option, another option must be chosen. If the record offers no options, there is
 * nothing to choose.
 */
const completeness = (value: ValueOf['choice'] | null, settings: SettingsOf<'choice'>, fields?: JsonObject): Completeness => {
  const isEmpty = value === null || value === ''
  if (fields === undefined) return isEmpty ? 'empty' : 'complete'
  const offered = optionsOfRecord(fields, settings.choose_from)
  if (isEmpty) return offered.length === 0 ? 'complete' : 'empty'
  return offered.includes(value) ? 'complete' : 'partial'
}

/** The parts of this question type that are loaded when a question of this type is first shown. */
export const choiceParts = { rules: choiceRules, completeness, Editor: ChoiceEditor, Value: ChoiceValue }
