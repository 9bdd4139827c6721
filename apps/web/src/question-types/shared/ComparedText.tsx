import { differingWords } from '#lib/text/differing-words.ts'
import { directionOf } from '#lib/text/direction.ts'
import styles from './ComparedText.module.css'
import { Differing } from './Differing.tsx'

/** Text with marks on the words that differ from another version of the text. */
export const ComparedText = ({ text, other }: { readonly text: string; readonly other: string }) => (
  <p className={styles['compared']} dir={directionOf(text)}>
    {differingWords(text, other).map((part, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts have no identity
      <Differing key={index} isDifferent={part.isDifferent}>
        {part.text}
      </Differing>
    ))}
  </p>
)
