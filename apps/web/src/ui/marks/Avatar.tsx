import type { CSSProperties } from 'react'
import { avatarSizes } from '#lib/constants.ts'
import styles from './Avatar.module.css'

/**
 * The first two characters of the username in a circle of 26, 34 or 45 px. They are drawn, not written: the name is said by
 * the text or label beside it, and letters of another name in a button would be read out as its words.
 */
export const Avatar = ({ name, size = 'small' }: { readonly name: string; readonly size?: keyof typeof avatarSizes }) => (
  <span
    className={styles['avatar']}
    style={{ '--size': `${avatarSizes[size]}px` } as CSSProperties}
    data-initials={Array.from(name).slice(0, 2).join('')}
    aria-hidden="true"
  />
)
