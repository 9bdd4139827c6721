import type { agentActions } from '@postil/contract/agents.ts'
import type { AuditDetails } from '@postil/contract/audit.ts'
import { invalid } from '@postil/contract/wire/errors.ts'
import { toProblems } from '@postil/contract/wire/problems.ts'
import type { z } from 'zod'
import type { User } from '#platform/auth/user.ts'
import { schemaOf } from '#platform/http/api-docs/openapi.ts'
import type { CallRoute } from './call-route.ts'

/** What the audit log stores about a tool's change. */
type ToolAction = {
  readonly endpoint: (typeof agentActions)[keyof typeof agentActions]
  readonly params: { readonly [name: string]: string }
  readonly details: AuditDetails
}
/** `isError`: true if the tool did none of what the caller asked for. */
export type ToolResult = { readonly result: { readonly [key: string]: unknown }; readonly isError?: boolean }
export type ToolCall = { readonly call: CallRoute; readonly user: User }

type ToolSpec<I extends z.ZodObject> = {
  readonly name: string
  readonly title: string
  /** For models: what the tool does and when to use it. */
  readonly description: string
  readonly input: I
  /** Whether repeating a call has no further effect. Always true for tools that only read. */
  readonly idempotent?: boolean
  /** Only for tools that make changes. */
  readonly action?: (args: z.output<I>) => ToolAction
  readonly run: (call: ToolCall, args: z.output<I>) => Promise<ToolResult>
}

/** A call with checked arguments. `action` is null for tools that only read. */
type PreparedCall = { readonly action: ToolAction | null; readonly run: (call: ToolCall) => Promise<ToolResult> }

export type Tool = {
  /** The tool in the protocol's list of tools. */
  readonly listed: {
    readonly name: string
    readonly title: string
    readonly description: string
    readonly inputSchema: { readonly type: 'object'; readonly [key: string]: unknown }
    readonly annotations: {
      readonly title: string
      readonly readOnlyHint: boolean
      readonly destructiveHint: false
      readonly idempotentHint: boolean
      readonly openWorldHint: false
    }
  }
  /** @throws Problem `validation` for arguments that don't fit the schema */
  readonly prepare: (sent: unknown) => PreparedCall
}

export const defineTool = <I extends z.ZodObject>(spec: ToolSpec<I>): Tool => {
  const { name, title, description, input, action, run, idempotent = action === undefined } = spec
  return {
    listed: {
      name,
      title,
      description,
      inputSchema: { ...schemaOf(input, 'input'), type: 'object' },
      annotations: {
        title,
        readOnlyHint: action === undefined,
        destructiveHint: false,
        idempotentHint: idempotent,
        openWorldHint: false,
      },
    },
    prepare: (sent) => {
      const result = input.safeParse(sent)
      if (!result.success) throw invalid(toProblems(result.error, 'body', sent))
      return { action: action?.(result.data) ?? null, run: (call) => run(call, result.data) }
    },
  }
}
