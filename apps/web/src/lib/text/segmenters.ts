const lazySegmenter = (granularity: 'word' | 'grapheme'): (() => Intl.Segmenter) => {
  let segmenter: Intl.Segmenter | null = null
  return () => {
    segmenter ??= new Intl.Segmenter(undefined, { granularity })
    return segmenter
  }
}

/* Created on demand: a browser needs ten milliseconds or more to create the first one, and most screens don't need it. */
export const wordSegmenter = lazySegmenter('word')
export const characterSegmenter = lazySegmenter('grapheme')
