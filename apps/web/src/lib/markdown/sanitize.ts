import type { Config } from 'dompurify'
import DOMPurify from 'dompurify'
import { withoutAttributes } from './without-attributes.ts'

/**
 * Tags that untrusted text may contain: formatting, lists, tables, links and images. Excludes everything that runs code, embeds
 * content, takes input, can cover the page (`style`) or can be looked up by scripts (`id`, `name`).
 */
const tags = [
  'a',
  'abbr',
  'b',
  'blockquote',
  'br',
  'code',
  'dd',
  'del',
  'details',
  'div',
  'dl',
  'dt',
  'em',
  'figcaption',
  'figure',
  'h1',
  'h2',
  'h3',
  'h4',
  'h5',
  'h6',
  'hr',
  'i',
  'img',
  'ins',
  'kbd',
  'li',
  'mark',
  'ol',
  'p',
  'pre',
  'q',
  's',
  'samp',
  'small',
  'span',
  'strong',
  'sub',
  'summary',
  'sup',
  'table',
  'tbody',
  'td',
  'tfoot',
  'th',
  'thead',
  'tr',
  'u',
  'ul',
  'var',
]
const attributes = ['align', 'alt', 'class', 'colspan', 'dir', 'href', 'lang', 'rowspan', 'src', 'start', 'title', 'open']

/** Elements of our own math output. Links and scripts in MathML are not allowed. */
const mathTags = [
  'math',
  'semantics',
  'mrow',
  'mi',
  'mo',
  'mn',
  'ms',
  'mtext',
  'mspace',
  'msup',
  'msub',
  'msubsup',
  'mfrac',
  'msqrt',
  'mroot',
  'mover',
  'munder',
  'munderover',
  'mtable',
  'mtr',
  'mtd',
  'mlabeledtr',
  'mpadded',
  'mphantom',
  'mstyle',
  'menclose',
  'mmultiscripts',
  'mprescripts',
  'none',
  'merror',
]
const mathAttributes = [
  'accent',
  'accentunder',
  'columnalign',
  'columnlines',
  'columnspacing',
  'depth',
  'display',
  'displaystyle',
  'fence',
  'height',
  'largeop',
  'linebreak',
  'linethickness',
  'lspace',
  'mathbackground',
  'mathcolor',
  'mathsize',
  'mathvariant',
  'maxsize',
  'minsize',
  'movablelimits',
  'notation',
  'rowalign',
  'rowlines',
  'rowspacing',
  'rspace',
  'scriptlevel',
  'separator',
  'stretchy',
  'symmetric',
  'voffset',
  'width',
  'xmlns',
]

const link = /^(?:https?:\/\/|mailto:)/i
const picture = /^(?:https?:\/\/|data:image\/(?:png|jpe?g|gif|webp|avif);base64,)/i
/** The classes that our renderer sets. Other classes could make untrusted text look like part of the web app. */
const ownClass = /^(?:language-[\w+#.-]{1,40}|math-inline|math-display|task|hljs-[\w-]{1,40})$/

const base: Config = {
  ALLOW_DATA_ATTR: false,
  ALLOW_ARIA_ATTR: false,
  ALLOW_SELF_CLOSE_IN_ATTR: false,
  KEEP_CONTENT: true,
  RETURN_DOM_FRAGMENT: true,
}

const purifier = (() => {
  const instance = DOMPurify(window)
  instance.addHook('uponSanitizeAttribute', (node, data) => {
    const { attrName, attrValue } = data
    const value = attrValue.trim()
    if (attrName === 'href') data.keepAttr = node.nodeName === 'A' && link.test(value)
    else if (attrName === 'src') data.keepAttr = node.nodeName === 'IMG' && picture.test(value)
    else if (attrName === 'class') {
      data.attrValue = value
        .split(/\s+/)
        .filter((name) => ownClass.test(name))
        .join(' ')
      data.keepAttr = data.attrValue !== ''
    }
  })
  instance.addHook('afterSanitizeAttributes', (node) => {
    if (node.nodeName === 'A') {
      node.setAttribute('target', '_blank')
      node.setAttribute('rel', 'noopener noreferrer nofollow')
    }
    if (node.nodeName === 'IMG') {
      node.setAttribute('loading', 'lazy')
      node.setAttribute('referrerpolicy', 'no-referrer')
      if (!node.hasAttribute('alt')) node.setAttribute('alt', '')
    }
  })
  return instance
})()

const isEventHandler = (name: string): boolean => /^on/i.test(name)
const isEventHandlerOrStyle = (name: string): boolean => isEventHandler(name) || /^style$/i.test(name)

/** Sanitizes untrusted HTML. */
export const sanitize = (html: string): DocumentFragment =>
  purifier.sanitize(withoutAttributes(html, isEventHandlerOrStyle), {
    ...base,
    ALLOWED_TAGS: tags,
    ALLOWED_ATTR: attributes,
  }) as unknown as DocumentFragment

/** Sanitizes MathML made from an untrusted formula. */
export const sanitizeMath = (html: string): DocumentFragment =>
  purifier.sanitize(html, {
    ...base,
    ALLOWED_TAGS: mathTags,
    ALLOWED_ATTR: mathAttributes,
    // The formula's source is invisible, but a search would match it.
    ADD_FORBID_CONTENTS: ['annotation'],
  }) as unknown as DocumentFragment

/** Sanitizes untrusted HTML for an isolated frame. Styles are kept, and scripts are removed. */
export const withoutScripts = (html: string): string =>
  DOMPurify(window).sanitize(withoutAttributes(html, isEventHandler), {
    WHOLE_DOCUMENT: false,
    ADD_TAGS: ['style'],
    FORCE_BODY: true,
    FORBID_TAGS: ['script', 'iframe', 'frame', 'object', 'embed', 'form', 'base', 'link', 'meta'],
    ALLOW_DATA_ATTR: false,
  })
