/** Messages between a custom field's frame and its page. */
export type FrameTheme = {
  readonly dark: boolean
  /** CSS custom properties for the template, such as `--ink`, with the values of the page's theme. */
  readonly properties: { readonly [name: `--${string}`]: string }
}

/** Page to frame. A record has `id`, `status`, `fields`, `metadata` and any other properties that the page adds. */
export type RenderMessage = {
  readonly type: 'postil:render'
  readonly template: string
  /** True: the template is HTML with its own scripts. False: it is Handlebars. */
  readonly advanced: boolean
  readonly record: { readonly [key: string]: unknown }
  readonly theme: FrameTheme
  /** Search words to highlight; null highlights nothing. */
  readonly search: string | null
}

/** A font of the page, which a cross-origin document can't fetch. Descriptors as in `@font-face`. */
export type FrameFont = {
  readonly family: string
  readonly descriptors: { readonly style: string; readonly weight: string; readonly unicodeRange: string }
  readonly bytes: ArrayBuffer
}

/** Page to frame, sent to each new document when the fonts are loaded. */
export type FontsMessage = { readonly type: 'postil:fonts'; readonly fonts: readonly FrameFont[] }

// Frame to page; heights are in CSS pixels.
/**
 * `ready` is sent after every load of the frame, including its reloads for another record. The page must answer each with the
 * content to render.
 */
export type FrameMessage =
  | { readonly type: 'postil:ready' }
  | { readonly type: 'postil:height'; readonly height: number }
  /** Position of the first search match, from the top of the rendered content. */
  | { readonly type: 'postil:found'; readonly top: number; readonly bottom: number }
  | { readonly type: 'postil:error'; readonly message: string }
