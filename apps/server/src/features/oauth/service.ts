import type { MyIdentity, OauthProblem, OauthProvider, ProviderAnswer } from '@postil/contract/people/oauth.ts'
import { fault, notFoundWithReason, type Problem, providerRefused, unprocessable } from '@postil/contract/wire/errors.ts'
import type { FastifyRequest } from 'fastify'
import type { AppContext } from '#context.ts'
import * as users from '#features/users/public.ts'
import { hashToken, newPassword } from '#platform/auth/credentials.ts'
import { readCookie } from '#platform/auth/sessions/session-cookie.ts'
import type { User } from '#platform/auth/user.ts'
import { originOf } from '#platform/http/hosts.ts'
import { createClients } from '#platform/identity/client.ts'
import type { IdentityConfig, ProviderConfig } from '#platform/identity/configuration.ts'
import { ProviderFault, plainCode } from '#platform/identity/faults.ts'
import { isFresh, newState, secretsOf } from '#platform/identity/handshake.ts'
import { presets } from '#platform/identity/presets.ts'
import type { Profile } from '#platform/identity/profile.ts'
import { authorizationUrl, readProfile } from '#platform/identity/sign-in.ts'
import { printTime } from '#platform/time.ts'
import { isKnown, linkUser, listIdentities, signIn, takeState } from './commands.ts'
import { stateCookieName } from './cookie.ts'

/**
 * How long a used state is remembered, in seconds. Must be longer than the time for which states are accepted, so that no state
 * can be used again.
 */
const USED_SECONDS = 600

/** Parameters that define a sign-in. A caller who could set them could change what the provider's response means. */
const RESERVED_PARAMS = new Set([
  'response_type',
  'response_mode',
  'client_id',
  'client_secret',
  'redirect_uri',
  'scope',
  'state',
  'nonce',
  'code',
  'code_challenge',
  'code_challenge_method',
  'code_verifier',
  'request',
  'request_uri',
  'registration',
  'claims',
  'resource',
])

const withReason = (reason: OauthProblem) => ({ reason })

const problemOf = ({ title }: ProviderConfig, { reason, code }: ProviderFault): Problem => {
  if (reason === 'refused') return providerRefused(`${title} refused the sign-in (${code})`, withReason('refused'))
  if (reason === 'no_username') return fault(`${title} did not provide a usable username`, withReason('no_username'))
  return unprocessable(`${title} could not be reached (${code}). Try again later`, withReason('unreachable'))
}

type Oauth = {
  readonly config: IdentityConfig
  readonly list: () => { items: OauthProvider[] }
  /** @throws Problem `not_found` */
  readonly find: (name: string) => ProviderConfig
  /** Where to send the browser, and the state for its cookie. @throws Problem */
  readonly begin: (
    ctx: AppContext,
    provider: ProviderConfig,
    request: FastifyRequest,
    query: { readonly [name: string]: unknown },
  ) => Promise<{ readonly location: string; readonly state: string }>
  /** Returns the user whose identity the provider's response contains. @throws Problem */
  readonly finish: (ctx: AppContext, provider: ProviderConfig, request: FastifyRequest, answer: ProviderAnswer) => Promise<User>
  /** Links the identity in the provider's response to a signed-in user. @throws Problem */
  readonly link: (
    ctx: AppContext,
    provider: ProviderConfig,
    request: FastifyRequest,
    answer: ProviderAnswer,
    user: User,
  ) => Promise<void>
}

/** The provider's redirect address. It must be the same at the start and the end of a sign-in. */
const redirectUri = (ctx: AppContext, config: IdentityConfig, { name, redirectUri }: ProviderConfig, request: FastifyRequest) => {
  const path = redirectUri ?? `${ctx.config.baseUrl}oauth/${name}/callback`
  const origin = originOf(ctx.config, request)
  if (!URL.canParse(path, origin)) throw unprocessable('The request has no host that the provider could redirect back to')
  const url = new URL(path, origin)
  if (!config.allowHttpRedirect) url.protocol = 'https:'
  return url.href
}

const extraParams = (query: { readonly [name: string]: unknown }): readonly (readonly [string, string])[] =>
  Object.entries(query).map(([name, value]) => {
    if (RESERVED_PARAMS.has(name.toLowerCase())) {
      throw unprocessable(`\`${plainCode(name)}\` is reserved for the sign-in and cannot be set`, withReason('parameter'))
    }
    if (typeof value !== 'string') throw unprocessable(`\`${plainCode(name)}\` must be given only once`, withReason('parameter'))
    return [name, value] as const
  })

/** The code and state of a callback, verified to belong to a recent sign-in of this browser. */
const checkCallback = ({ name, title }: ProviderConfig, request: FastifyRequest, { code, state, error }: ProviderAnswer) => {
  if (error) throw providerRefused(`${title} refused the sign-in (${plainCode(error)})`, withReason('refused'))
  if (!code) throw unprocessable('The parameter `code` is missing', withReason('expired'))
  if (!state) throw unprocessable('The parameter `state` is missing', withReason('expired'))
  if (readCookie(request, stateCookieName(name)) !== state || !isFresh(state)) {
    throw unprocessable(
      'This sign-in was started in another browser or took too long: `state` does not match the cookie',
      withReason('expired'),
    )
  }
  return { code, state }
}

const consumeState = async (ctx: AppContext, state: string): Promise<void> => {
  if (await ctx.store.write(takeState, { state_hash: hashToken(state), seconds: USED_SECONDS })) return
  throw unprocessable('This sign-in was already used: each `state` is valid only once', withReason('expired'))
}

/**
 * Whether the user owns the Space in which this server runs. In this case, the user becomes an owner of this server. This is safe
 * because the Hub has confirmed the user's identity.
 */
const isHubOwner = ({ config }: AppContext, { kind }: ProviderConfig, username: string): boolean =>
  kind === 'huggingface' && config.hubOwner === username

const upsertUser = async (ctx: AppContext, config: IdentityConfig, provider: ProviderConfig, profile: Profile): Promise<User> => {
  const { issuer, subject, username, firstName, workspaces } = profile
  const hubOwner = isHubOwner(ctx, provider, username)
  const role = profile.role ?? (hubOwner ? 'owner' : 'annotator')
  const known = await ctx.store.read(isKnown, { issuer, subject })
  const newUser = known ? null : await users.newUserRow(ctx, { first_name: firstName, username, role, password: newPassword() })
  const user = await ctx.store.write(signIn, {
    issuer,
    subject,
    provider: provider.name,
    title: provider.title,
    newUser,
    username,
    role,
    workspaces: workspaces.length > 0 ? workspaces : config.allowedWorkspaces,
    sync: provider.syncUser,
    linkByUsername: ctx.config.oauthLinkByUsername || hubOwner,
  })
  if (user === null) throw unprocessable(`The user \`${username}\` was just deleted. Try again`, withReason('expired'))
  return user
}

/** The caller's linked identities. All except the one that created the user are `removable`. */
export const myIdentities = async (ctx: AppContext, { id }: User): Promise<{ items: MyIdentity[] }> => {
  const rows = await ctx.store.read(listIdentities, { user_id: id })
  return {
    items: rows.map(({ provider, made_user, inserted_at }) => ({
      provider,
      removable: !made_user,
      inserted_at: printTime(inserted_at),
    })),
  }
}

export const createOauth = (config: IdentityConfig): Oauth => {
  const clientOf = createClients()
  const asSignInProblem = (ctx: AppContext, provider: ProviderConfig) => (error: unknown) => {
    if (!(error instanceof ProviderFault)) throw error
    ctx.log.warn({ provider: provider.name, reason: error.reason, code: error.code }, 'sign-in through a provider failed')
    throw problemOf(provider, error)
  }
  /**
   * Runs an action for the identity in the provider's response. The attempt counts as failed until the action succeeds. The
   * attempt must not start before the state is matched with the cookie, which no other site knows. Otherwise, another site could
   * cause repeated failures in a user's browser, until nobody at that IP address could sign in.
   */
  const identified = async <T>(
    ctx: AppContext,
    provider: ProviderConfig,
    request: FastifyRequest,
    answer: ProviderAnswer,
    complete: (profile: Profile) => Promise<T>,
  ): Promise<T> => {
    const { code, state } = checkCallback(provider, request, answer)
    return ctx.attempts.make(null, request.ip, async () => {
      await consumeState(ctx, state)
      const handshake = {
        state,
        ...secretsOf(ctx.secrets, provider.name, state),
        redirectUri: redirectUri(ctx, config, provider, request),
      }
      const iss = answer.iss ?? null
      const profile = await readProfile(clientOf, provider, handshake, { code, iss }).catch(asSignInProblem(ctx, provider))
      return complete(profile)
    })
  }
  return {
    config,
    list: () => ({
      items: config.providers.map(({ name, kind, title }) => ({
        name,
        ...(title !== presets[kind].title && title !== name && { title }),
      })),
    }),
    find: (name) => {
      const found = config.providers.find((provider) => provider.name === name)
      if (found === undefined) throw notFoundWithReason(`OAuth provider \`${name}\` is not configured`)
      return found
    },
    begin: async (ctx, provider, request, query) => {
      const parameters = extraParams(query)
      const state = newState()
      const handshake = {
        state,
        ...secretsOf(ctx.secrets, provider.name, state),
        redirectUri: redirectUri(ctx, config, provider, request),
      }
      const location = await authorizationUrl(clientOf, provider, handshake, parameters).catch(asSignInProblem(ctx, provider))
      return { location, state }
    },
    finish: (ctx, provider, request, answer) =>
      identified(ctx, provider, request, answer, async (profile) => ({
        ...(await upsertUser(ctx, config, provider, profile)),
        hasShownTwo: provider.secondFactor,
      })),
    link: (ctx, provider, request, answer, user) =>
      identified(ctx, provider, request, answer, ({ issuer, subject }) =>
        ctx.store.write(linkUser, { issuer, subject, provider: provider.name, title: provider.title, user_id: user.id }),
      ),
  }
}
