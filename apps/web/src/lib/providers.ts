import { href } from '#lib/api/base.ts'
import { pathOf } from '#lib/api/client.ts'

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

const LINKING = 'postil linking'

/** Remembers, for this tab, that the redirect to a provider is for linking the provider's account, not for signing in. */
export const rememberLinking = (name: string): void => {
  try {
    sessionStorage.setItem(LINKING, name)
  } catch {
    // Without storage, the page can't tell later that the redirect was for linking. It then treats the user's return as a
    // sign-in. The provider's account may not be allowed to sign in.
  }
}

/** Returns whether the redirect to this provider was for linking its account, and clears that state. */
export const consumeLinking = (name: string): boolean => {
  try {
    const noted = sessionStorage.getItem(LINKING)
    sessionStorage.removeItem(LINKING)
    return noted === name
  } catch {
    return false
  }
}
