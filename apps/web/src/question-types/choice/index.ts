import { textRules } from '@postil/contract/question-types/text.rules.ts'
import type { ComponentType } from 'react'
import type { QuestionSlice } from '../define.ts'
import { lazyEditor } from '../shared/lazy-editor.ts'

type Parts = typeof import('./parts.ts')['choiceParts']
/**
 * The parts of this type, including its rules. They are loaded on demand, so that they don't delay the first record of datasets
 * without such questions.
 */
let loaded: Parts | null = null

const lazy = <P extends object>(pick: (parts: Parts) => ComponentType<P>) =>
  lazyEditor(async () => {
    loaded = (await import('./parts.ts')).choiceParts
    return pick(loaded)
  })
const Editor = lazy((parts) => parts.Editor)
const Value = lazy((parts) => parts.Value)

export const slice: QuestionSlice<'choice'> = {
  kind: 'choice',
  // Until the rules are loaded, any value is accepted that is valid for a text question.
  rules: { hasAgreement: true, check: (...given) => (loaded?.rules ?? textRules).check(...given) },
  Editor,
  Value,
  preload: async () => {
    await Promise.all([Editor.preload(), Value.preload()])
  },
  completeness: (...given) => loaded?.completeness(...given) ?? (given[0] ? 'complete' : 'empty'),
  // The empty text is stored only if the record lists no options, because there is then nothing to choose.
  untouched: '',
  isOfRecord: true,
  isQuick: true,
  scorePlace: 'items',
  valueFilter: null,
  shortcuts: [
    { keys: ['1', '…', '9'], message: 'pick' },
    { keys: ['A', '…', 'Z'], message: 'byName' },
    { keys: ['←', '→'], message: 'move' },
    { keys: ['Space'], message: 'toggle' },
  ],
}
