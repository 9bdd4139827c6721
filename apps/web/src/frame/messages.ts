/** Messages between a custom field's frame and its page. */
export type FrameTheme = {
  readonly dark: boolean
  /** CSS custom properties for the template, such as `--ink`, with the values of the web app's theme. */
  readonly properties: { readonly [name: `--${string}`]: string }
}

/**
 * Sent from the web app to the frame. A record has `id`, `status`, `fields`, `metadata` and any other properties that the web
 * app adds.
 */
export type RenderMessage = {
  readonly type: 'postil:render'
  readonly template: string
  /** True: the template is HTML with its own scripts. False: it is Handlebars. */
  readonly advanced: boolean
  readonly record: { readonly [key: string]: unknown }
  /**
   * The origins of the images in the record. The document may load images only from these origins. Null for HTML text, which may
   * show images from any origin because it contains no scripts.
   */
  readonly images: readonly string[] | null
  readonly theme: FrameTheme
  /** Search words to highlight; null highlights nothing. */
  readonly search: string | null
  /** Whether the search ignores accents. */
  readonly ignoresAccents: boolean
}

/**
 * A font of the web app. It is sent because a cross-origin document can't fetch it. The descriptors have the same meaning as in
 * `@font-face`.
 */
export type FrameFont = {
  readonly family: string
  readonly descriptors: { readonly style: string; readonly weight: string; readonly unicodeRange: string }
  readonly bytes: ArrayBuffer
}

/** Sent from the web app to each new document in the frame, once the fonts are loaded. */
export type FontsMessage = { readonly type: 'postil:fonts'; readonly fonts: readonly FrameFont[] }

// Sent from the frame to the web app. Heights are in CSS pixels.
/**
 * `ready` is sent after every load of the frame, including its reloads for another record. The web app must answer each `ready`
 * with the content to render.
 */
export type FrameMessage =
  | { readonly type: 'postil:ready' }
  | { readonly type: 'postil:height'; readonly height: number }
  /** Vertical range of the first search match, measured from the top of the rendered content. */
  | { readonly type: 'postil:found'; readonly top: number; readonly bottom: number }
  | { readonly type: 'postil:error'; readonly message: string }
  /** The browser blocked a request from the template. */
  | { readonly type: 'postil:blocked'; readonly origin: string }
