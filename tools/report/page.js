// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
'use strict';
(function () {
  // A table's rows as a tree: what stands deeper and behind a row belongs to it.
  function treeOf(rows) {
    var root = {children: []}, path = [root];
    rows.forEach(function (row) {
      var depth = Math.min(+row.dataset.depth || 0, path.length - 1), node = {row: row, children: []};
      path.length = depth + 1;
      path[depth].children.push(node);
      path.push(node);
    });
    return root;
  }

  function walk(node, visit) {
    node.children.forEach(function (child) {
      visit(child);
      walk(child, visit);
    });
  }

  // Numbers by data-v, unknown ones last; names by their letters.
  function compare(column, isText, sign) {
    return function (a, b) {
      var x = a.row.cells[column], y = b.row.cells[column], p = x.dataset.v, q = y.dataset.v;
      if (isText)
        return -sign * x.textContent.trim().localeCompare(y.textContent.trim());
      if (p === undefined || q === undefined)
        return (p === undefined) - (q === undefined);
      return sign * (p - q);
    };
  }

  function sorted(node, order) {
    return {row: node.row, children: node.children.map(function (child) { return sorted(child, order); }).sort(order)};
  }

  // A click sorts, greatest first; the second turns it round, the third restores the tree. Children stay below their parent.
  function makeSortable(table, tree) {
    table.querySelectorAll('th').forEach(function (head, column) {
      function sort() {
        var was = head.getAttribute('aria-sort'), now = was === 'descending' ? 'ascending' : was === 'ascending' ? '' : 'descending';
        table.querySelectorAll('th').forEach(function (other) { other.removeAttribute('aria-sort'); });
        if (now)
          head.setAttribute('aria-sort', now);
        var isText = column === 0 || head.classList.contains('t');
        walk(now ? sorted(tree, compare(column, isText, now === 'ascending' ? 1 : -1)) : tree,
             function (node) { table.tBodies[0].appendChild(node.row); });
      }
      head.tabIndex = 0;
      head.onclick = sort;
      head.onkeydown = function (event) {
        if (event.key === 'Enter' || event.key === ' ') {
          event.preventDefault();
          sort();
        }
      };
    });
  }

  // Shows rows whose name has the text, and, paler, those around them.
  function filterTree(node, text) {
    var any = false;
    node.children.forEach(function (child) {
      var name = child.row.cells[0], own = (name.title + ' ' + name.textContent).toLowerCase().indexOf(text) >= 0;
      var inner = filterTree(child, text);
      child.row.hidden = !own && !inner;
      child.row.classList.toggle('around', !own && inner);
      any = any || own || inner;
    });
    return any;
  }

  function makeFilter(table, tree) {
    var section = table.closest('section'), input = document.createElement('input'), none = document.createElement('p');
    input.type = 'search';
    input.className = 'filter';
    input.placeholder = 'filter names';
    input.setAttribute('aria-label', 'filter names');
    none.className = 'none';
    none.textContent = 'No name has this text.';
    none.hidden = true;
    input.oninput = function () { none.hidden = filterTree(tree, input.value.trim().toLowerCase()); };
    section.insertBefore(input, section.firstChild);
    section.appendChild(none);
  }

  document.querySelectorAll('table.rows').forEach(function (table) {
    var tree = treeOf([].slice.call(table.tBodies[0].rows));
    makeSortable(table, tree);
    if (table.tBodies[0].rows.length > 5)
      makeFilter(table, tree);
  });

  // A point of the picture and its rows light up together.
  function light(elements, on) {
    elements.forEach(function (element) { element.classList.toggle('lit', on); });
  }
  document.querySelectorAll('.point[data-rows]').forEach(function (point) {
    var rows = point.dataset.rows.split(' ').map(function (id) { return document.getElementById(id); }).filter(Boolean);
    if (!rows.length)
      return;
    function show() {
      document.querySelectorAll('tr.lit').forEach(function (row) { row.classList.remove('lit'); });
      light(rows, true);
      rows[0].scrollIntoView({block: 'center', behavior: 'smooth'});
    }
    point.setAttribute('tabindex', '0');
    point.onclick = show;
    point.onkeydown = function (event) { if (event.key === 'Enter') show(); };
    rows.forEach(function (row) {
      row.onmouseenter = function () { light([point], true); };
      row.onmouseleave = function () { light([point], false); };
    });
  });
})();
