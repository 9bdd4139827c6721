import { href } from '#lib/api/base.ts'
import { pathOf } from '#lib/api/client.ts'
import { sessionValue } from './session-value.ts'

const TITLES: { readonly [name: string]: string } = {
  huggingface: 'Hugging Face',
  github: 'GitHub',
  'google-oauth2': 'Google',
  keycloak: 'Keycloak',
}

/** Returns an identity provider's display name. */
export const providerTitle = ({ name, title }: { readonly name: string; readonly title?: string }): string =>
  title ?? TITLES[name] ?? name

/** Returns the URL that starts a sign-in through a provider. It includes the current page's query. */
export const authenticationAddress = (name: string, search: string): string =>
  href(pathOf('GET /oauth2/providers/:provider/authentication', { provider: name }) + search)

/** Whether the web app runs in a frame, as in a hosted space. */
export const isEmbedded = (): boolean => window.top !== window

/**
 * The provider that the user was redirected to in order to link an account, not to sign in. Without storage, the page can't tell
 * that the redirect was for linking. It then treats the user's return as a sign-in, which the provider's account may not be
 * allowed to do.
 */
const linking = sessionValue<string>('postil linking')

/** Remembers, for this tab, that the redirect to a provider is for linking the provider's account, not for signing in. */
export const rememberLinking = (name: string): void => linking.write(name)

/** Returns whether the redirect to this provider was for linking its account, and clears that state. */
export const consumeLinking = (name: string): boolean => {
  const noted = linking.read()
  linking.write(null)
  return noted === name
}
