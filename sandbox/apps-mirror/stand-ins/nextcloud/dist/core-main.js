window.nextcloud = true;
