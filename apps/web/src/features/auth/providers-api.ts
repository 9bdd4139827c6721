import type { createHandover, createSessionByProvider, OauthProblem, ProviderAnswer } from '@postil/contract/people/oauth.ts'
import { ApiError } from '#lib/api/api-error.ts'
import { call, path } from '#lib/api/client.ts'
import { providerTitle } from '#lib/providers.ts'
import type { Entrance, Provider } from './api.ts'

/** What people call a provider. */
export const titleOf = (name: string, providers: readonly Provider[]): string =>
  providerTitle(providers.find((provider) => provider.name === name) ?? { name })

const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

/** What the provider sent back in the query, of the keys that mean something. */
export const answerIn = (query: { readonly [key: string]: unknown }): ProviderAnswer => {
  const keys = ['code', 'state', 'iss', 'error'] as const
  return Object.fromEntries(keys.flatMap((key) => (text(query[key]) === undefined ? [] : [[key, text(query[key])]])))
}

/**
 * @param link the account of the provider to the user who is signed in
 * @throws ApiError whose body has a `reason`
 */
export const byProvider =
  (name: string, answer: ProviderAnswer, link: boolean): Entrance =>
  () =>
    call<typeof createSessionByProvider>('POST', path('/api/v1/session/oauth', name), {
      body: { ...answer, link },
      endsSession: false,
    })

/** A token that signs in once, for the window that has opened this one. @throws ApiError whose body has a `reason` */
export const handoverToken = async (name: string, answer: ProviderAnswer): Promise<string> =>
  (
    await call<typeof createHandover>('POST', path('/api/v1/session/oauth', name, 'handover'), {
      body: answer,
      endsSession: false,
    })
  ).token

const REASONS: readonly OauthProblem[] = [
  'expired',
  'refused',
  'unreachable',
  'no_username',
  'name_taken',
  'deactivated',
  'linked_otherwise',
]

/** Why the provider, or the server, has let nobody in; null where that is no matter of providers. */
export const reasonOf = (error: Error): OauthProblem | null => {
  if (!(error instanceof ApiError)) return null
  if (error.status === 404) return 'unknown_provider'
  const { body } = error
  const reason: unknown = typeof body === 'object' && body !== null ? Reflect.get(body, 'reason') : null
  return REASONS.find((known) => known === reason) ?? null
}

/** Words of the standard for a provider that would if it could. */
export const isOutage = (error: string | undefined): boolean => error === 'temporarily_unavailable' || error === 'server_error'
