import { projectRoot } from '#platform';
import { Injectable } from '@nestjs/common';
import { contentTypes, HashedFiles, readPrepared } from '../../answers/prepared-file.js';
import { pagePaths } from '../paths/page-paths.js';

const directory = new URL('apps/gateway/browser/account/', projectRoot);

const styles = [
  'tokens.css',
  'base.css',
  'layout.css',
  'components.css',
  'forms.css',
  'tables.css',
  'charts.css',
];
const scripts = ['times.js', 'forms.js', 'secrets.js'];

/** The files that pages load: one of each kind. */
@Injectable()
export class PageFiles {
  private readonly files = new HashedFiles({
    'account.css': readPrepared(contentTypes.style, directory, ...styles),
    'account.js': readPrepared(contentTypes.script, directory, ...scripts),
    'icon.svg': readPrepared(contentTypes.svg, directory, 'icon.svg'),
  });

  /** The icon at the default path. */
  readonly favicon = readPrepared(contentTypes.icon, directory, 'favicon.ico');

  /** The address of a file, which names its content. */
  addressOf(name: 'account.css' | 'account.js' | 'icon.svg'): string {
    return `${pagePaths.files}/${this.files.addressOf(name)}`;
  }

  find(address: string): ReturnType<HashedFiles['find']> {
    return this.files.find(address);
  }
}
