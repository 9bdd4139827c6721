import { isTrace } from '@postil/contract/trace.ts'
import { useState } from 'react'
import type { FieldViewProps } from '../define.ts'
import { NoTrace, Trace } from './Trace.tsx'

/** The trace of an agent. */
export const TraceView = ({ field, value, search }: FieldViewProps<'trace'>) => {
  const [current, setCurrent] = useState<number | null>(null)
  if (!isTrace(value)) return <NoTrace value={value} search={search} />
  return <Trace steps={value.steps} label={field.title} search={search} current={current} onCurrent={setCurrent} />
}
