import { rankingRules } from '@postil/contract/question-types/ranking.rules.ts'
import type { QuestionSlice } from '../define.ts'
import { lazyEditor } from '../shared/lazy-editor.ts'
import { completeness, rankedOptions, sortByList, sortByRank } from './ranking-order.ts'

const parts = async () => (await import('./parts.ts')).rankingParts
const Editor = lazyEditor(async () => (await parts()).Editor)
const Value = lazyEditor(async () => (await parts()).Value)
const Partial = lazyEditor(async () => (await parts()).Partial)

export const slice: QuestionSlice<'ranking'> = {
  kind: 'ranking',
  rules: rankingRules,
  Editor,
  Value,
  preload: async () => {
    await Promise.all([Editor, Value, Partial].map((part) => part.preload()))
  },
  normalize: sortByList,
  toWire: sortByRank,
  completeness: (value, settings) => completeness(value, rankedOptions(value, settings)),
  Partial,
  untouched: null,
  scorePlace: 'items',
  valueFilter: null,
  shortcuts: [
    { keys: ['1', '…', '9', '0'], message: 'pick' },
    { keys: ['Shift', '1', '…', '0'], message: 'pickMore' },
    { keys: ['='], message: 'tie' },
    { keys: ['↑', '↓'], message: 'moveCard' },
    { keys: ['←', '→'], message: 'chooseCard' },
    { keys: ['Delete'], message: 'takeRank' },
  ],
}
