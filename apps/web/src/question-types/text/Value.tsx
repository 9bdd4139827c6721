import { differingWords } from '#lib/text/differing-words.ts'
import { directionOf } from '#lib/text/direction.ts'
import type { ValueProps } from '../define.ts'
import { Differing } from '../shared/Differing.tsx'
import { RenderedText } from './RenderedText.tsx'
import styles from './Value.module.css'

export const TextValue = ({ question, value, other }: ValueProps<'text'>) => {
  if (other === undefined || other === value) return <RenderedText text={value} isMarkdown={question.settings.use_markdown} />
  // Shows the source of Markdown, because formatting may be all that differs.
  return (
    <p className={styles['compared']} dir={directionOf(value)}>
      {differingWords(value, other).map(({ text, isDifferent }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts have no identity
        <Differing key={index} isDifferent={isDifferent}>
          {text}
        </Differing>
      ))}
    </p>
  )
}
