import type { Suggestion } from '@postil/contract/suggestions.ts'
import type { ChangeOptions } from '../../define.ts'
import { pickOne, type SinglePick } from '../options/pick.ts'
import { wholeScore } from '../suggestions/scores.ts'
import type { PickedBy } from './label-options.ts'

type Editor = {
  readonly answer: SinglePick<string>
  readonly suggestion: Pick<Suggestion, 'value' | 'score'> | null
  readonly onChange: (answer: SinglePick<string>, options: ChangeOptions) => void
}

/** The props of `LabelOptions` for a question whose answer is one label. */
export const oneLabel = ({ answer, suggestion, onChange }: Editor) => ({
  mode: 'one' as const,
  isPicked: (value: string) => answer.value === value,
  isOnlySuggested: (value: string) => answer.suggested === value,
  scoreOf: (value: string) => (suggestion?.value === value ? wholeScore(suggestion) : undefined),
  onPick: (value: string, by: PickedBy) => {
    const next = pickOne(answer, value)
    onChange(next, { done: next.value !== null, quick: by === 'digit' })
  },
})
