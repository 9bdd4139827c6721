import { useMemo } from 'react'
import type { QuestionOf } from '../define.ts'
import { useChosenHues } from '../shared/labels/label-hues.ts'
import { labelHues } from './hue.ts'

/** Returns the hue of each of the question's labels. */
export const useSpanHues = ({ id, settings: { options } }: QuestionOf<'span'>): ReadonlyMap<string, number> => {
  const chosen = useChosenHues(id)
  return useMemo(
    () =>
      labelHues(
        options.map(({ value }) => value),
        chosen,
      ),
    [options, chosen],
  )
}
