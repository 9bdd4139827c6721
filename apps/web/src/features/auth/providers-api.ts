import type { OauthProblem, ProviderAnswer } from '@postil/contract/people/oauth.ts'
import { ApiError } from '#lib/api/api-error.ts'
import { call } from '#lib/api/client.ts'
import { providerTitle } from '#lib/providers.ts'
import type { Provider, SignInMethod } from './api.ts'

/** Returns the display name of an identity provider. */
export const titleOf = (name: string, providers: readonly Provider[]): string =>
  providerTitle(providers.find((provider) => provider.name === name) ?? { name })

const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

/** Returns the recognized parameters that the identity provider added to the query. */
export const providerAnswerFrom = (query: { readonly [key: string]: unknown }): ProviderAnswer => {
  const keys = ['code', 'state', 'iss', 'error'] as const
  return Object.fromEntries(keys.flatMap((key) => (text(query[key]) === undefined ? [] : [[key, text(query[key])]])))
}

/**
 * @param link whether to link the provider's account to the signed-in user
 * @throws ApiError whose body has a `reason`
 */
export const byProvider =
  (name: string, answer: ProviderAnswer, link: boolean): SignInMethod =>
  () =>
    call('POST /session/oauth/:provider', { params: { provider: name }, body: { ...answer, link }, endsSession: false })

/**
 * Returns a token for the page that opened this window. That page can use the token to sign in once.
 * @throws ApiError whose body has a `reason`
 */
export const handoverToken = async (name: string, answer: ProviderAnswer): Promise<string> =>
  (await call('POST /session/oauth/:provider/handover', { params: { provider: name }, body: answer, endsSession: false })).token

const REASONS: readonly OauthProblem[] = [
  'expired',
  'refused',
  'unreachable',
  'no_username',
  'name_taken',
  'deactivated',
  'linked_otherwise',
]

/** Returns why the provider or the server rejected the sign-in. Null if the error has nothing to do with providers. */
export const reasonOf = (error: Error): OauthProblem | null => {
  if (!(error instanceof ApiError)) return null
  if (error.status === 404) return 'unknown_provider'
  const { body } = error
  const reason: unknown = typeof body === 'object' && body !== null ? Reflect.get(body, 'reason') : null
  return REASONS.find((known) => known === reason) ?? null
}

/** Whether an OAuth error code means that the provider is temporarily unable to respond. */
export const isOutage = (error: string | undefined): boolean => error === 'temporarily_unavailable' || error === 'server_error'
