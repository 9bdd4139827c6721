import { sentTraces } from '../actions/traces.ts'
import { type Form, list, required, unchecked, values } from './rule.ts'

export const traceForms: readonly Form[] = [
  {
    id: 'traces.store',
    good: sentTraces,
    rules: [
      list('resourceSpans', { ...required, writeOnly: true }, { item: () => null }),
      values('resourceSpans', { ...unchecked, writeOnly: true }, 'list_type', [
        [[7], 'dict_type', 0],
        [[null], 'dict_type', 0],
      ]),
    ],
  },
]
