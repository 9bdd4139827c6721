import type { SettingsOf } from '@postil/contract/question-types/index.ts'
import { turnsRules, turnsToLabel } from '@postil/contract/question-types/turns.rules.ts'
import type { JsonObject } from '@postil/contract/wire/json.ts'
import type { Completeness, ValueOf } from '../define.ts'
import { TurnsEditor } from './Editor.tsx'
import { OneTurnsField, TurnsOrSteps } from './Fields.tsx'
import { TurnsValue } from './Value.tsx'

const completeness = (value: ValueOf['turns'] | null, settings: SettingsOf<'turns'>, fields?: JsonObject): Completeness => {
  if (settings.unit.required === 'none') return 'complete'
  const isEmpty = value === null || value.length === 0
  if (fields === undefined) return isEmpty ? 'empty' : 'complete'
  if (turnsToLabel(value, settings, fields).length === 0) return 'complete'
  return isEmpty ? 'empty' : 'partial'
}

/** The parts of this question type that are loaded when a question of this type is first shown. */
export const turnsParts = {
  rules: turnsRules,
  completeness,
  Editor: TurnsEditor,
  FieldEditor: OneTurnsField,
  SharedEditor: TurnsOrSteps,
  Value: TurnsValue,
}
