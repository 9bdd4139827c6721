import type { AnyEndpoint } from '@postil/contract/wire/endpoint.ts'
import type { User } from '#platform/auth/user.ts'

/** What the audit log stores about a call. */
export type AuditedCall = {
  readonly endpoint: Pick<AnyEndpoint, 'id' | 'method' | 'path'>
  /** Undefined on public routes. */
  readonly user: Pick<User, 'id' | 'username'> | undefined
  readonly params: { readonly [name: string]: string }
  readonly query: unknown
  readonly body: unknown
  readonly address: string
}
