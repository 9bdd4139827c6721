/** What a custom field's frame and the page around it tell each other. */
export type FrameTheme = {
  readonly dark: boolean
  /** CSS custom properties for the template, such as `--ink`, with the values of the page's theme. */
  readonly properties: { readonly [name: `--${string}`]: string }
}

/** Page to frame. A record has `id`, `status`, `fields`, `metadata` and what else the page gives it. */
export type RenderMessage = {
  readonly type: 'postil:render'
  readonly template: string
  /** True: the template is HTML with scripts of its own. False: it is Handlebars. */
  readonly advanced: boolean
  readonly record: { readonly [key: string]: unknown }
  readonly theme: FrameTheme
  /** Words of a text search, to be marked where they stand; null marks nothing. */
  readonly search: string | null
}

/** A typeface of the page's, which a document of another origin could not fetch. Descriptors as in `@font-face`. */
export type FrameFont = {
  readonly family: string
  readonly descriptors: { readonly style: string; readonly weight: string; readonly unicodeRange: string }
  readonly bytes: ArrayBuffer
}

/** Page to frame, to each document of its own, as the typefaces are there. */
export type FontsMessage = { readonly type: 'postil:fonts'; readonly fonts: readonly FrameFont[] }

// Frame to page; heights are in CSS pixels.
/** `ready` comes after every load of the frame, also when it loads itself anew for another record: answer each with what to render. */
export type FrameMessage =
  | { readonly type: 'postil:ready' }
  | { readonly type: 'postil:height'; readonly height: number }
  /** Where the first of the words is that were searched for, from the upper edge of what is shown. */
  | { readonly type: 'postil:found'; readonly top: number; readonly bottom: number }
  | { readonly type: 'postil:error'; readonly message: string }
