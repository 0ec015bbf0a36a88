import { homePath } from '../../paths/page-paths.js';

/** The name of the product, which leads home from every page. */
export function Brand() {
  return (
    <a class="brand" href={homePath}>
      Creator Search
    </a>
  );
}
