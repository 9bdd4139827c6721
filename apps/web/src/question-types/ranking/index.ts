import { rankingRules } from '@postil/contract/question-types/ranking.rules.ts'
import type { QuestionSlice } from '../define.ts'
import { lazyEditor } from '../shared/lazy-editor.ts'
import { PartialRanking } from './Partial.tsx'
import { completeness, rankedOptions, sortByList, sortByRank } from './ranking-order.ts'
import { RankingValue } from './Value.tsx'

const Editor = lazyEditor(async () => (await import('./Editor.tsx')).RankingEditor)

export const slice: QuestionSlice<'ranking'> = {
  kind: 'ranking',
  rules: rankingRules,
  Editor,
  Value: RankingValue,
  preload: Editor.preload,
  normalize: sortByList,
  toWire: sortByRank,
  completeness: (value, settings) => completeness(value, rankedOptions(value, settings)),
  Partial: PartialRanking,
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
