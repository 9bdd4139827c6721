const onDemand = (granularity: 'word' | 'grapheme'): (() => Intl.Segmenter) => {
  let made: Intl.Segmenter | null = null
  return () => {
    made ??= new Intl.Segmenter(undefined, { granularity })
    return made
  }
}

/*
 * A browser takes ten milliseconds and more to make the first of them, and most screens are drawn without.
 */
export const wordSegmenter = onDemand('word')
export const characterSegmenter = onDemand('grapheme')
