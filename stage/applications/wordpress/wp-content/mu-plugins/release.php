<?php
// Shows the release on each page, and keeps a note among the uploads.
add_action('wp_footer', function () {
    echo '<!-- release-1 -->';
    $note = get_option('note');
    if ($note) {
        echo '<!-- upload: ', esc_html($note), ' -->';
    }
});

add_action('init', function () {
    if (isset($_POST['note'])) {
        $upload = wp_upload_bits('note.txt', null, wp_unslash($_POST['note']));
        update_option('note', wp_parse_url($upload['url'], PHP_URL_PATH));
    }
});
