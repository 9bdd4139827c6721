import type { CSSProperties } from 'react'
import { avatarSizes } from '#lib/constants.ts'
import styles from './Avatar.module.css'

/**
 * The first two characters of the username in a circle of 26, 34 or 45 px. CSS draws them, because text inside a button would
 * be read out as part of the button's name. The adjacent text or label contains the username.
 */
export const Avatar = ({ name, size = 'small' }: { readonly name: string; readonly size?: keyof typeof avatarSizes }) => (
  <span
    className={styles['avatar']}
    style={{ '--size': `${avatarSizes[size]}px` } as CSSProperties}
    data-initials={Array.from(name).slice(0, 2).join('')}
    aria-hidden="true"
  />
)
