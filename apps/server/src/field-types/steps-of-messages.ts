import type { TraceMessage, TraceStep } from '@postil/contract/trace.ts'

/** Whether a message is an answer by a model. */
const isAnswer = ({ role }: TraceMessage): boolean => role === 'assistant' || role === 'ai' || role === 'model'

/**
 * Converts a conversation with tool calls to steps. Each message becomes a step. Each tool call in a message becomes a child of
 * the message's step and contains the result from a later message.
 */
export const stepsOfMessages = (messages: readonly TraceMessage[]): readonly TraceStep[] => {
  const results = new Map(
    messages.flatMap((one) => (one.role === 'tool' && one.tool_call_id !== undefined ? [[one.tool_call_id, one] as const] : [])),
  )
  const called = new Set<string>()
  return messages.flatMap((one, i): readonly TraceStep[] => {
    const { role, content = null, tool_calls: calls = [], tool_call_id: answered } = one
    const id = `message-${i + 1}`
    if (role === 'tool' && answered !== undefined && called.has(answered)) return []
    if (role === 'tool') return [{ id, kind: 'tool', name: one.name ?? role, output: content }]
    const kind = isAnswer(one) ? ('llm' as const) : ('message' as const)
    const key = kind === 'llm' ? 'output' : 'input'
    const shown = calls.length === 0 ? content : [{ role, content, tool_calls: calls }]
    return [
      { id, kind, name: one.name ?? role, [key]: shown },
      ...calls.map((call, n): TraceStep => {
        const result = call.id === undefined ? undefined : results.get(call.id)
        if (call.id !== undefined) called.add(call.id)
        return {
          id: `${id}-call-${n + 1}`,
          parent: id,
          kind: 'tool',
          name: call.name,
          ...(call.arguments !== undefined && { input: call.arguments }),
          ...(result?.content !== undefined && { output: result.content }),
        }
      }),
    ]
  })
}
